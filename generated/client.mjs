// Made from openapi/petstore.yaml by `npm run generate`. Do not edit.

// client.ts
import createClient from "openapi-fetch";

// client/links.ts
function nextCursor(response) {
  const next = linkOf(response, "next");
  return next === void 0 ? void 0 : new URL(next).searchParams.get("cursor") ?? void 0;
}
function linkOf(response, relation) {
  for (const [, reference, parameters] of (response.headers.get("Link") ?? "").matchAll(/<([^>]*)>([^<]*)/g)) {
    const relations = /;\s*rel\s*=\s*"?([^";,]*)/i.exec(parameters)?.[1]?.split(" ");
    if (relations?.includes(relation)) return new URL(reference, response.url || "http://unknown.invalid").href;
  }
  return void 0;
}

// client/items.ts
var ResponseError = class extends Error {
  constructor(body, response) {
    super(body?.message ?? `The answer has the status ${response.status}.`);
    this.body = body;
    this.response = response;
  }
  body;
  response;
  name = "ResponseError";
};
async function* itemsOf(read) {
  let cursor;
  do {
    const { data, error, response } = await read(cursor);
    if (!data) throw new ResponseError(error, response);
    yield* data;
    cursor = nextCursor(response);
  } while (cursor !== void 0);
}

// client/deprecation.ts
function deprecationOf(response) {
  const [, seconds] = /^@(\d+)$/.exec(response.headers.get("Deprecation") ?? "") ?? [];
  if (seconds === void 0) return void 0;
  const sunset = response.headers.get("Sunset");
  return {
    since: new Date(Number(seconds) * 1e3),
    sunset: sunset === null ? void 0 : new Date(sunset),
    successor: linkOf(response, "successor-version"),
    notice: linkOf(response, "deprecation")
  };
}
function deprecationWarner() {
  const warned = /* @__PURE__ */ new Set();
  return (call, response) => {
    const deprecation = warned.has(call) ? void 0 : deprecationOf(response);
    if (!deprecation || !isDevelopment()) return;
    warned.add(call);
    const { sunset, notice } = deprecation;
    const end = sunset ? ` and is to be removed on ${sunset.toISOString().slice(0, 10)}` : "";
    console.warn(`${call} is deprecated${end}.${notice ? ` See ${notice}` : ""}`);
  };
}
function isDevelopment() {
  try {
    return process.env.NODE_ENV !== "production";
  } catch {
    return false;
  }
}

// client/refusals.ts
var PROBE_INTERVAL = 6e4;
var OF_EVERY_CALL = /^(content-type|x-request-id)$|ratelimit/;
function sparing(fetch) {
  const refusals = /* @__PURE__ */ new Map();
  return async (request) => {
    const caller = `${request.method === "HEAD"} ${request.headers.get("Authorization")}`;
    const known = refusals.get(caller);
    if (known) {
      const now = Date.now();
      if (now < Math.min(known.until, known.probe)) return again(known, now, request.signal);
      known.probe = now + PROBE_INTERVAL;
    }
    const response = await fetch(request);
    const delay = askedDelay(response);
    if (response.status === 429 && delay > 0 && !isChosen(response)) {
      const body = await response.clone().text();
      const came = Date.now();
      refusals.forEach(({ until }, other) => until <= came && refusals.delete(other));
      refusals.set(caller, { response, body, came, until: came + delay, probe: came + PROBE_INTERVAL });
    } else if (known && refusals.get(caller) === known) {
      refusals.delete(caller);
    }
    return response;
  };
}
function isChosen({ headers }) {
  return /(code|example)=/.test(headers.get("Preference-Applied") ?? "");
}
function again({ response, body, came, until }, now, signal) {
  signal.throwIfAborted();
  const headers = new Headers([...response.headers].filter(([name]) => OF_EVERY_CALL.test(name)));
  headers.set("Retry-After", String(Math.ceil((until - now) / 1e3)));
  const passed = Math.floor((now - came) / 1e3);
  const windows = headers.get("RateLimit")?.replace(/;t=(\d+)/g, (_, left) => `;t=${Math.max(left - passed, 0)}`);
  if (windows !== void 0) headers.set("RateLimit", windows);
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}
function askedDelay({ headers }) {
  const value = headers.get("Retry-After") ?? "0";
  const delay = /^\d+$/.test(value) ? Number(value) * 1e3 : Date.parse(value) - Date.now();
  return Math.max(delay || 0, 0);
}

// client/retry.ts
var FIRST_BACKOFF = 1e3;
function retrying(fetch, { attempts = 4, maxDelay = 6e4, onWait } = {}) {
  const send = sparing(fetch);
  return async (request) => {
    for (let attempt = 1; attempt < attempts; attempt++) {
      const response = await arrival(send(request.clone())).catch((error) => {
        if (!isNetworkError(error) || request.signal.aborted || !mayRepeat(request)) throw error;
        return void 0;
      });
      const asked = response ? askedDelay(response) : 0;
      if (response && (asked > maxDelay || !mayRepeat(request, response))) return response;
      await response?.body?.cancel();
      const backoff = Math.random() * FIRST_BACKOFF * 2 ** (attempt - 1);
      const delay = Math.min(asked + backoff, maxDelay);
      const until = new Date(Date.now() + delay);
      const waited = wait(delay, request.signal);
      onWait?.({ response, delay, until, ended: waited.catch(() => {
      }) });
      await waited;
    }
    return await send(request);
  };
}
async function arrival(sent) {
  const response = await sent;
  if (/[/+]json *(;|$)/i.test(response.headers.get("Content-Type") ?? "")) await response.clone().arrayBuffer();
  return response;
}
function isNetworkError(error) {
  return error?.name === "TypeError";
}
function mayRepeat({ method, headers }, response) {
  const status = response?.status;
  const isKeyed = headers.has("Idempotency-Key");
  if (status === 409) return isKeyed && response.headers.has("Retry-After");
  if (response && status !== 429 && status !== 503) return false;
  return isKeyed || method !== "POST" && (method !== "PATCH" || status === 429);
}
function wait(milliseconds, signal) {
  let timer;
  const over = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  return unlessAborted(over, signal).finally(() => clearTimeout(timer));
}
function unlessAborted(promise, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

// client/middleware.ts
function optionsOf({ baseUrl, fetch = (request) => globalThis.fetch(request), retry }) {
  return { baseUrl, fetch: retry === false ? fetch : retrying(fetch, retry) };
}
function authorize(headers, key) {
  try {
    headers.set("Authorization", `Bearer ${key}`);
  } catch {
    throw new TypeError("The API key has a character that no header can carry, such as a line break or one beyond Latin-1.");
  }
}
function middlewareOf({ key }, keyedCalls) {
  const warn = deprecationWarner();
  if (typeof key === "string") authorize(new Headers(), key);
  return {
    async onRequest({ request, schemaPath }) {
      const { headers, method, signal } = request;
      if (!headers.has("Authorization")) {
        const secret = typeof key === "function" ? await unlessAborted(Promise.resolve(key()), signal) : key;
        if (secret != null) authorize(headers, secret);
      }
      if (keyedCalls.has(`${method} ${schemaPath}`) && !headers.has("Idempotency-Key")) {
        headers.set("Idempotency-Key", randomName());
      }
      headers.append("Prefer", "errors");
    },
    onResponse({ request, response, schemaPath }) {
      warn(`${request.method} ${schemaPath}`, response);
    }
  };
}
function randomName() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// client/results.ts
var METHODS = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"];
function withTypedResults(client, emptyCalls) {
  const methods = client;
  const { request } = methods;
  methods.request = async (method, path, init) => {
    const { data, error, response } = await request(method, path, init);
    const call = `${method.toUpperCase()} ${path}`;
    const mayBeEmpty = response.ok ? emptyCalls.has(call) || call.startsWith("HEAD") : response.status === 304 && init?.params?.header?.["If-None-Match"] != null;
    if (data !== void 0 || mayBeEmpty) return { data, response };
    return { error: errorOf(error, response), response };
  };
  for (const method of METHODS) methods[method] = (path, init) => methods.request(method, path, init);
  return client;
}
function errorOf(body, { status }) {
  const message = `Unexpected response with status ${status}.`;
  return { code: "unexpected_response", message, status, ...typeof body === "object" ? body : void 0 };
}

// client/faults.ts
function faultsOf(error) {
  const faults = error?.errors ?? [];
  return Object.fromEntries(faults.map(({ name, pointer, message }) => [name ?? fieldOf(pointer), message]));
}
function fieldOf(pointer = "") {
  return pointer.slice(1).replaceAll("~1", "/").replaceAll("~0", "~");
}

// client/limits.ts
function limitsOf({ headers }) {
  const [limit, remaining, reset] = ["Limit", "Remaining", "Reset"].map((name) => headers.get(`X-RateLimit-${name}`));
  if (limit == null || remaining == null || reset == null) return void 0;
  const states = windowsIn(headers.get("RateLimit"));
  const windows = [...windowsIn(headers.get("RateLimit-Policy"))].map(([name, { q = 0, w = 0 }]) => {
    const { r = q, t = w } = states.get(name) ?? {};
    return { name, limit: q, remaining: r, seconds: w, reset: new Date(Date.now() + t * 1e3) };
  });
  return { limit: Number(limit), remaining: Number(remaining), reset: new Date(Number(reset) * 1e3), windows };
}
function windowsIn(header) {
  return new Map(
    [...(header ?? "").matchAll(/"([^"]*)"([^,]*)/g)].map(([, name, parameters]) => [
      name,
      Object.fromEntries([...parameters.matchAll(/(\w+)=(\d+)/g)].map(([, key, value]) => [key, Number(value)]))
    ])
  );
}

// client.ts
var KEYED_CALLS = /* @__PURE__ */ new Set(["POST /pets", "POST /categories", "POST /store/orders"]);
var EMPTY_CALLS = /* @__PURE__ */ new Set(["DELETE /store/orders/{orderId}"]);
function createPetstore(options) {
  const client = createClient(optionsOf(options));
  client.use(middlewareOf(options, KEYED_CALLS));
  return withTypedResults(client, EMPTY_CALLS);
}
function pages(client, path, options) {
  const { params, ...others } = options ?? {};
  const get = client.GET;
  return itemsOf(
    (cursor = params?.query?.cursor) => get(path, { ...others, params: { ...params, query: { ...params?.query, cursor } } })
  );
}
export {
  ResponseError,
  createPetstore,
  deprecationOf,
  faultsOf,
  limitsOf,
  nextCursor,
  pages
};
