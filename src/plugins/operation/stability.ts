import fp from 'fastify-plugin'

/** X-Stability on every answer of an operation that the document marks by `x-stability`: experimental or beta. */
export const stability = fp(
  async (app) => {
    app.addHook('onSend', (request, reply, _payload, done) => {
      const marked = request.operation?.stability
      if (marked !== undefined) reply.header('x-stability', marked)
      done()
    })
  },
  { name: 'stability', dependencies: ['operation'] }
)
