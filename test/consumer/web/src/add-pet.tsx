import { faultsOf } from 'petstore-api-types/client'
import type { ReactNode } from 'react'
import { Failure } from './notices'
import { useAddPet } from './petstore'

/** The form to add a pet, which shows at each field what the service says of it. */
export function AddPet () {
  const { mutate, data, error, isPending } = useAddPet()
  const faults = faultsOf(error?.body)
  const field = (name: string, label: string, input: ReactNode) => (
    <label>
      {label}
      {input}
      {faults[name] && <span role='alert'>{label} {faults[name]}.</span>}
    </label>
  )
  return (
    <form
      className='card add'
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        const sent = new FormData(form)
        // What is no number is null in JSON, which the service refuses like anything else that is no integer.
        const categoryId = Number(sent.get('category') || NaN)
        const pet = { name: String(sent.get('name')), categoryId, status: 'available' } as const
        mutate(pet, { onSuccess: () => form.reset() })
      }}
    >
      <h2>Add a pet</h2>
      {field('name', 'Name', <input name='name' />)}
      {field('categoryId', 'Category', <input name='category' inputMode='numeric' />)}
      <button disabled={isPending}>Add</button>
      {data && <p role='status'>{data.name} was added.</p>}
      {Object.keys(faults).length === 0 && <Failure error={error} />}
    </form>
  )
}
