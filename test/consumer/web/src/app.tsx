import { useQueryClient } from '@tanstack/react-query'
import type { PetStatus } from 'petstore-api-types'
import { createPetstore, type Wait } from 'petstore-api-types/client'
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
  const [waits, setWaits] = useState<Wait[]>([])
  const [status, setStatus] = useState<PetStatus>()

  const leave = useCallback((wasRefused: boolean) => {
    setRefused(wasRefused)
    setKey(undefined)
    queries.clear()
  }, [queries])
  const petstore = useMemo(() => {
    const onWait = (wait: Wait) => {
      setWaits((others) => [...others, wait])
      wait.ended.then(() => setWaits((others) => others.filter((other) => other !== wait)))
    }
    const client = createPetstore({ baseUrl, key, retry: { onWait } })
    client.use({
      onResponse: ({ response }) => {
        if (response.status === 401) leave(true)
      }
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
      {waits.length > 0 && (
        <p role='status' className='wait'>
          The service asks us to wait. <Countdown until={Math.max(...waits.map(({ until }) => until.getTime()))} />
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
