import { createPetstore, type Options } from 'petstore/types/client'

/** A client, and the requests that it sends, in order. */
export function watched (root: string, options: Partial<Options> = {}) {
  const sent: Request[] = []
  const client = createPetstore({
    baseUrl: `${root}/v1`,
    fetch: (request) => {
      sent.push(request.clone())
      return fetch(request)
    },
    ...options
  })
  return { client, sent }
}
