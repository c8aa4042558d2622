// Express 5 with express-openapi-validator: the middleware validates as the document says, the routes are written by
// hand.
import express from 'express'
import { middleware } from 'express-openapi-validator'
import { createPet, getPet, listPets } from './pets.js'
import { BASE_PATH, DOCUMENT, hasKey, ready } from './service.js'

const app = express()
app.use(express.json())
app.use(
  middleware({
    apiSpec: DOCUMENT,
    validateRequests: true,
    validateResponses: false,
    validateSecurity: { handlers: { bearerAuth: (request) => hasKey(request.headers) } }
  })
)
app.get(`${BASE_PATH}/pets`, (request, response) => {
  const { items, link } = listPets(request.query)
  if (link !== undefined) response.set('link', link)
  response.json(items)
})
app.get(`${BASE_PATH}/pets/:petId`, (request, response) => response.json(getPet(request.params.petId)))
app.post(`${BASE_PATH}/pets`, (request, response) => response.status(201).json(createPet(request.body)))
// Express tells an error by the four parameters.
app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ message: error.message })
})
const server = app.listen(0, '127.0.0.1', () => ready(server))
