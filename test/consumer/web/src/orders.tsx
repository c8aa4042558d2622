import { Failure } from './notices'
import { useOrdering, useOrders } from './petstore'

/** The orders, each of which can be cancelled until it is complete. */
export function Orders () {
  const { data, error, hasNextPage, fetchNextPage, refetch } = useOrders()
  const { cancel } = useOrdering()
  const orders = data?.pages.flatMap((page) => page.orders) ?? []
  return (
    <section className='orders'>
      <h2>Orders</h2>
      <Failure error={error} onEnd={refetch} />
      <Failure error={cancel.error} />
      {data && orders.length === 0 && <p>There are none.</p>}
      <ul>
        {orders.map(({ id, petId, quantity, complete }) => (
          <li key={id} className='card'>
            <span>Order {id}</span>
            <small>{quantity} of pet {petId}{complete && ', complete'}</small>
            <button disabled={cancel.isPending || complete} onClick={() => cancel.mutate(id)}>Cancel</button>
          </li>
        ))}
      </ul>
      {hasNextPage && <button onClick={() => fetchNextPage()}>More orders</button>}
    </section>
  )
}
