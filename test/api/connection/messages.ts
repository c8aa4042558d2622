/** The text of a request without a body. */
export const get = (headers = '', target = '/v1/pets', method = 'GET') =>
  `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`

/** The text of a POST of JSON, with the headers that frame its body. */
export const post = (headers: string, body = '') =>
  `POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n${body}`

/** The body of a request that adds a pet. */
export const PET = '{"name":"Rex","categoryId":1}'

/** The text of a POST in chunks, with a valid key in the place of KEY. */
export const chunked = (chunks: string) => post('Transfer-Encoding: chunked\r\nAuthorization: Bearer KEY\r\n', chunks)
