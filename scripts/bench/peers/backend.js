// openapi-backend on node:http: it routes and validates what the document says, for any server.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { OpenAPIBackend } from 'openapi-backend'
import { parse } from 'yaml'
import { createPet, getPet, listPets } from './pets.js'
import { BASE_PATH, DOCUMENT, hasKey, ready } from './service.js'

const answer = (response, status, body, headers = {}) => {
  const text = JSON.stringify(body)
  const size = Buffer.byteLength(text)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': size, ...headers }).end(text)
}

const api = new OpenAPIBackend({
  definition: parse(readFileSync(DOCUMENT, 'utf8')),
  // Without this it checks the document against OpenAPI 3.0, which a document of 3.1 does not pass.
  quick: true,
  coerceTypes: true,
  apiRoot: BASE_PATH,
  handlers: {
    listPets: ({ request }, _request, response) => {
      const { items, link } = listPets(request.query)
      answer(response, 200, items, link === undefined ? {} : { link })
    },
    getPet: ({ request }, _request, response) => answer(response, 200, getPet(request.params.petId)),
    createPet: ({ request }, _request, response) => answer(response, 201, createPet(request.requestBody)),
    validationFail: ({ validation }, _request, response) => answer(response, 400, validation.errors),
    unauthorizedHandler: (_context, _request, response) => answer(response, 401, { message: 'unauthorized' }),
    notFound: (_context, _request, response) => answer(response, 404, { message: 'not found' })
  },
  securityHandlers: { bearerAuth: ({ request }) => hasKey(request.headers) },
  ajvOpts: { strict: false }
})
await api.init()

const server = createServer((request, response) => {
  const { method, url, headers } = request
  const [path, query] = url.split('?')
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    api.handleRequest({ method, path, query, headers, body: body || undefined }, request, response).catch((error) => {
      answer(response, 500, { message: error.message })
    })
  })
})
server.listen(0, '127.0.0.1', () => ready(server))
