// fastify-openapi-glue over SQLite: what a user would build instead.
process.env.BENCH_STORAGE = './pets-in-sqlite.js'
await import('./glue.js')
