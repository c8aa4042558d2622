/** What each generated client must be able to do. */
export interface Shop {
  /** Gives the id of the new pet, or the code of the error. */
  add: (name: string) => Promise<number | string>
  page: (limit: number, cursor?: string) => Promise<Page>
}

interface Page {
  names?: string[] | undefined
  code?: string | undefined
  link?: string | null | undefined
}

/** Adds pets and reads them back a few at a time. */
export async function addAndPage (shop: Shop, names: string[]) {
  const ids = []
  for (const name of names) ids.push(await shop.add(name))
  const found = []
  let cursor: string | undefined
  do {
    const { names = [], link } = await shop.page(2, cursor)
    found.push(names)
    cursor = /[?&]cursor=([^&>]*)[^>]*>; rel="next"/.exec(link ?? '')?.[1]
  } while (cursor !== undefined)
  return { ids, pages: found, refused: await shop.add('') }
}
