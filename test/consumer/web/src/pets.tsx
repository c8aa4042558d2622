import { petStatusValues, type PetStatus } from 'petstore-api-types'
import { useEffect, useRef } from 'react'
import { Failure } from './notices'
import { useOrdering, usePets } from './petstore'

interface Props {
  status: PetStatus | undefined
  onStatus: (status: PetStatus | undefined) => void
}

/** The list of the pets, which loads on as it is scrolled. */
export function Pets ({ status, onStatus }: Props) {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = usePets(status)
  const { order } = useOrdering()
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!hasNextPage || isFetchingNextPage || error) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && fetchNextPage())
    observer.observe(end.current!)
    return () => observer.disconnect()
  }, [hasNextPage, isFetchingNextPage, error, fetchNextPage])

  const pets = data?.pages.flatMap((page) => page.pets) ?? []
  return (
    <section className='pets'>
      <h2>Pets</h2>
      <label>
        Status
        <select
          value={status ?? ''}
          onChange={({ target }) => onStatus(petStatusValues.find((value) => value === target.value))}
        >
          <option value=''>all</option>
          {petStatusValues.map((value) => <option key={value}>{value}</option>)}
        </select>
      </label>
      <Failure error={error} onEnd={refetch} />
      <Failure error={order.error} />
      {isPending && <p>Loading …</p>}
      {data && pets.length === 0 && <p>There are none.</p>}
      <ul>
        {pets.map(({ id, name, status }) => (
          <li key={id} className='card'>
            <span>{name}</span>
            <small>{status ?? 'no status'}</small>
            <button disabled={order.isPending || status === 'sold'} onClick={() => order.mutate(id)}>Order</button>
          </li>
        ))}
      </ul>
      <div ref={end}>{isFetchingNextPage && 'Loading more …'}</div>
    </section>
  )
}
