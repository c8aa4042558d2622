import { useQueryClient } from '@tanstack/react-query'
import type { PetStatus } from 'petstore-api-types'
import { createPetstore } from 'petstore-api-types/client'
import { useCallback, useMemo, useState } from 'react'
import { AddPet } from './add-pet'
import { Countdown } from './notices'
import { Orders } from './orders'
import { Pets } from './pets'
import { PetstoreContext } from './petstore'
import { SignIn } from './sign-in'

const baseUrl = document.querySelector<HTMLMetaElement>('meta[name=petstore]')!.content

/** The whole page. The key is kept in memory only, so that it is gone with the page. */
export function App () {
  const queries = useQueryClient()
  const [key, setKey] = useState<string>()
  const [refused, setRefused] = useState(false)
  const [waitsUntil, setWaitsUntil] = useState<number>()
  const [status, setStatus] = useState<PetStatus>()

  const leave = useCallback((wasRefused: boolean) => {
    setRefused(wasRefused)
    setKey(undefined)
    queries.clear()
  }, [queries])
  const petstore = useMemo(() => {
    const client = createPetstore({ baseUrl, key, retry: { onWait: ({ delay }) => setWaitsUntil(Date.now() + delay) } })
    client.use({
      onResponse: ({ response }) => {
        setWaitsUntil(undefined)
        if (response.status === 401) leave(true)
      },
      onError: () => setWaitsUntil(undefined)
    })
    return client
  }, [key, leave])

  if (key === undefined) return <SignIn refused={refused} onKey={setKey} />
  return (
    <PetstoreContext value={petstore}>
      <header>
        <h1>Pet store</h1>
        <button onClick={() => leave(false)}>Sign out</button>
      </header>
      {waitsUntil !== undefined && (
        <p role='status' className='wait'>
          The service asks us to wait. <Countdown until={waitsUntil} />
        </p>
      )}
      <main>
        <Pets status={status} onStatus={setStatus} />
        <aside>
          <AddPet />
          <Orders />
        </aside>
      </main>
    </PetstoreContext>
  )
}
