import t from 'tap'
import { readContract } from '../../../scripts/service/in-process.js'
import { after, schemas, type Breaking } from './library.js'

const { document: petstore } = await readContract()
const pets = (document: any) => document.paths['/pets']
const onePet = (document: any) => document.paths['/pets/{petId}']

const EDITS: Breaking[] = [
  ['nothing', () => {}, []],
  ['another base path', (d) => { d.servers[0].url = '/v2' }, ['The server /v1 is removed.']],
  ['limit', (d) => { d.components.parameters.Limit.schema.maximum = 50 },
    ['listPets', 'listCategories', 'listOrders', 'listInventory'].map((id) => `${id}: Query parameter 'limit' can no longer be more than 50.`)],
  ['cursor', (d) => { pets(d).get.parameters = pets(d).get.parameters.filter(({ $ref }: any) => !$ref.endsWith('/Cursor')) },
    ["listPets: Query parameter 'cursor' is removed."]],
  ['Link', (d) => { delete pets(d).get.responses[200].headers.Link },
    ["listPets: Header 'Link' of the 200 answer is removed."]],
  ['createPet', (d) => { pets(d).post.operationId = 'addPet' },
    ['createPet: The operationId of POST /pets is now addPet.']],
  ['name', (d) => { schemas(d).NewPet.properties.name.maxLength = 100 },
    ["createPet: Body property 'name' can no longer have more than 100 characters."]],
  ['status is required', (d) => { schemas(d).NewPet.required.push('status') },
    ["createPet: Body property 'status' is now required."]],
  ['getPet goes', (d) => { delete onePet(d).get }, ['getPet: GET /pets/{petId} is removed.']],
  ['getPet goes sooner', (d) => { onePet(d).get['x-deprecated-sunset'] = '2028-12-05' },
    ['getPet: The sunset is now 2028-12-05, no longer 2030-12-05.']],
  ['petId', (d) => { onePet(d).get.parameters[0].schema = { type: 'integer' } },
    ['less than -9007199254740991', 'more than 9007199254740991'].map((bound) => `getPet: Path parameter 'petId' can no longer be ${bound}.`)],
  ['a new filter', (d) => { pets(d).get.parameters.push({ name: 'name', in: 'query', schema: { type: 'string' } }) },
    []],
  ['a new field', (d) => { for (const name of ['NewPet', 'Pet']) schemas(d)[name].properties.note = { type: 'string' } },
    []],
  ['an error more', (d) => { pets(d).get.responses[410] = d.components.responses.LacksPetsRead }, []]
]

t.test('edits of the document of this service', async (t) => {
  for (const [title, edit, sentences] of EDITS) t.same(after(edit, petstore), sentences, title)
  const widened = after((d) => { schemas(d).PetStatus.enum.push('lost') }, petstore)
  t.ok(widened.includes("listPets: Property '[].status' of the 200 answer may now be 'lost'."))
  t.notOk(widened.some((sentence) => sentence.includes('parameter')))
})
