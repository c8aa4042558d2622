// Made from openapi/petstore.yaml by `npm run generate`. Do not edit.

export interface paths {
    "/pets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List animals
         * @description Animals in the order of their `id`, a page at a time. While there are more, the answer has a `Link` header with
         *     `rel="next"`: a relative reference to the next page, with the same `limit` and `status`.
         */
        get: operations["listPets"];
        put?: never;
        /**
         * Add an animal
         * @description The answer comes after the animal is safely stored.
         */
        post: operations["createPet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pets/{petId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an animal
         * @deprecated To be removed on 5 December 2030. Use listPets (GET /pets) instead.
         * @description **Deprecated.** To be removed on 5 December 2030. Use `GET /pets` with a `status` filter instead.
         *
         *     Every answer of this operation carries `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a `Link` to the replacement.
         */
        get: operations["getPet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List categories
         * @description Categories in the order of their `id`, a page at a time. While there are more, the answer has a `Link` header with
         *     `rel="next"`: a relative reference to the next page, with the same `limit`.
         */
        get: operations["listCategories"];
        put?: never;
        /**
         * Add a category
         * @description The answer comes after the category is safely stored.
         */
        post: operations["createCategory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders
         * @description Orders in the order of their `id`, complete ones too, a page at a time. While there are more, the answer has a `Link` header
         *     with `rel="next"`: a relative reference to the next page, with the same `limit`.
         */
        get: operations["listOrders"];
        put?: never;
        /**
         * Order an animal
         * @description Takes the quantity from the stock of the animal. Of orders that come at the same time, as many are taken as there is stock.
         *
         *     The answer comes after the order is safely stored.
         */
        post: operations["placeOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Cancel an order
         * @description Removes an order that is not complete and gives its quantity back to the stock.
         *
         *     The answer comes after the change is safely stored.
         */
        delete: operations["cancelOrder"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inventory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the stock
         * @description What is in stock of every animal, in the order of their ids, a page at a time. While there are more, the answer has a `Link`
         *     header with `rel="next"`: a relative reference to the next page, with the same `limit` and `status`.
         */
        get: operations["listInventory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inventory/{petId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the stock of an animal
         * @description Sets how many of an animal are in stock; open orders have taken theirs before and are not counted. An animal that is sold stays so.
         *
         *     The answer comes after the change is safely stored.
         */
        patch: operations["updateInventory"];
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description Availability status of an animal.
         * @enum {string}
         */
        PetStatus: "available" | "pending" | "sold";
        /** @description An animal to add. */
        NewPet: {
            /** @description The animal's name. At least one character, no control characters. */
            name: string;
            /**
             * Format: int64
             * @description Identifier of the category the animal belongs to.
             *     Exact as a JavaScript number only from -9007199254740991 to 9007199254740991.
             */
            categoryId: number;
            status?: components["schemas"]["PetStatus"] | undefined;
        };
        /** @description An animal of the store. */
        Pet: {
            /**
             * Format: int64
             * @description Unique identifier assigned on creation.
             *     Exact as a JavaScript number only from -9007199254740991 to 9007199254740991.
             */
            id: number;
            /** @description The animal's name. */
            name: string;
            /**
             * Format: int64
             * @description Identifier of the category the animal belongs to.
             *     Exact as a JavaScript number only from -9007199254740991 to 9007199254740991.
             */
            categoryId: number;
            status?: components["schemas"]["PetStatus"];
        };
        /** @description A page of animals. */
        Pets: components["schemas"]["Pet"][];
        /** @description A category to add. */
        NewCategory: {
            /** @description The category's name. At least one character, no control characters. */
            name: string;
            /** @description What belongs to the category. No control characters but tabs and line breaks. */
            description?: string | undefined;
        };
        /** @description A category that animals belong to. */
        Category: {
            /**
             * Format: int64
             * @description Unique identifier assigned on creation.
             *     Exact as a JavaScript number only from -9007199254740991 to 9007199254740991.
             */
            id: number;
            /** @description The category's name. */
            name: string;
            /** @description What belongs to the category. */
            description?: string;
        };
        /** @description A page of categories. */
        Categories: components["schemas"]["Category"][];
        /** @description An order to place. */
        NewOrder: {
            /**
             * Format: int64
             * @description Identifier of the animal that is ordered.
             *     Exact as a JavaScript number only from -9007199254740991 to 9007199254740991.
             */
            petId: number;
            /**
             * Format: int32
             * @description How many are ordered.
             * @default 1
             */
            quantity?: number | undefined;
            /**
             * Format: date-time
             * @description When to ship, as an instant of RFC 3339 with its offset. Kept as it is sent.
             */
            shipDate?: string | undefined;
        };
        /** @description An order of an animal. */
        Order: {
            /**
             * Format: int64
             * @description Unique identifier assigned on creation.
             *     Exact as a JavaScript number only from -9007199254740991 to 9007199254740991.
             */
            id: number;
            /**
             * Format: int64
             * @description Identifier of the animal that is ordered.
             *     Exact as a JavaScript number only from -9007199254740991 to 9007199254740991.
             */
            petId: number;
            /**
             * Format: int32
             * @description How many are ordered.
             */
            quantity: number;
            /**
             * Format: date-time
             * @description When to ship, as it was sent.
             */
            shipDate?: string;
            /** @description Whether the animals were handed over. A complete order cannot be cancelled. */
            complete: boolean;
        };
        /** @description A page of orders. */
        Orders: components["schemas"]["Order"][];
        /** @description What is in stock of an animal. */
        InventoryItem: {
            /**
             * Format: int64
             * @description Identifier of the animal.
             *     Exact as a JavaScript number only from -9007199254740991 to 9007199254740991.
             */
            petId: number;
            /**
             * Format: int64
             * @description How many can be ordered.
             *     Exact as a JavaScript number only from -9007199254740991 to 9007199254740991.
             */
            quantity: number;
            status?: components["schemas"]["PetStatus"];
        };
        /** @description A change of what is in stock. */
        InventoryUpdate: {
            /**
             * Format: int32
             * @description How many can be ordered from now on.
             */
            quantity: number;
        };
        /** @description A page of the stock. */
        Inventory: components["schemas"]["InventoryItem"][];
        /**
         * @description Machine-readable error code. More values may come, so have a default for those that you do not know.
         * @enum {string}
         */
        ErrorCode: "bad_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "request_timeout" | "conflict" | "idempotency_key_in_use" | "gone" | "precondition_failed" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "expectation_failed" | "idempotency_key_reused" | "rate_limited" | "key_banned" | "headers_too_large" | "internal_error" | "not_implemented" | "unavailable" | "http_version_not_supported";
        /** @description One value of a request that is wrong. */
        Fault: {
            /**
             * @description The part of the request in which the value stands, or is missing.
             * @enum {string}
             */
            in: "body" | "query" | "path" | "header" | "cookie";
            /** @description The name of the parameter, header or cookie; absent for the body. */
            name?: string;
            /** @description Where the value stands, or is missing, in the body, as a JSON Pointer (RFC 6901). Empty for the whole body. */
            pointer?: string;
            /** @description What was expected of it, without its name, such as `is required`. */
            message: string;
        };
        /** @description What went wrong. */
        Error: {
            code: components["schemas"]["ErrorCode"];
            /** @description Human-readable description. */
            message: string;
            /** @description The HTTP status code. */
            status: number;
            /**
             * @description With a 400, each value that is wrong and that `message` tells of. Only for a request with the header `Prefer: errors`
             *     (RFC 7240).
             */
            errors?: components["schemas"]["Fault"][];
        };
    };
    responses: {
        /** @description What you have is still the answer. It counts against the limits like any other. */
        NotModified: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description A query parameter is unknown or has an invalid value. */
        InvalidPage: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    code?: "bad_request";
                };
            };
        };
        /** @description Missing or invalid API key. The same answer for every cause. */
        Unauthorized: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    code?: "unauthorized";
                };
            };
        };
        /** @description The API key is valid, but lacks the scope `pets:read`. */
        LacksPetsRead: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    code?: "forbidden";
                };
            };
        };
        /** @description The API key is valid, but lacks the scope `pets:write`. */
        LacksPetsWrite: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    code?: "forbidden";
                };
            };
        };
        /** @description The API key is valid, but lacks the scope `store:read`. */
        LacksStoreRead: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    code?: "forbidden";
                };
            };
        };
        /** @description The API key is valid, but lacks the scope `store:write`. */
        LacksStoreWrite: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    code?: "forbidden";
                };
            };
        };
        /** @description There is no such animal. */
        UnknownPet: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    code?: "not_found";
                };
            };
        };
        /** @description The path exists, the method does not. `Allow` lists those that do. */
        MethodNotAllowed: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    code?: "method_not_allowed";
                };
            };
        };
        /** @description The request did not arrive in time. The connection is closed. */
        RequestTimeout: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    code?: "request_timeout";
                };
            };
        };
        /** @description A request with the same `Idempotency-Key` is being answered. Wait as long as `Retry-After` says. */
        IdempotencyKeyInUse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    code?: "idempotency_key_in_use";
                };
            };
        };
        /**
         * @description `If-Match` does not name the `ETag` of this answer, or `If-None-Match` forbids a change. Nothing was changed. Only reads have
         *     an `ETag`: for an operation that changes something, `If-Match` can only be `*`, and `If-None-Match` must not be `*`.
         */
        PreconditionFailed: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    code?: "precondition_failed";
                };
            };
        };
        /** @description The body is larger than 16 KiB. */
        PayloadTooLarge: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    code?: "payload_too_large";
                };
            };
        };
        /** @description The body is not `application/json`, or it is encoded. */
        UnsupportedMediaType: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    code?: "unsupported_media_type";
                };
            };
        };
        /** @description The `Idempotency-Key` was used for a request with another address or body. */
        IdempotencyKeyReused: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    code?: "idempotency_key_reused";
                };
            };
        };
        /** @description Rate limit exceeded, or the key is banned for a while. Wait as long as `Retry-After` says. A key is banned that keeps sending requests later than a second after its first 429 of a minute. */
        TooManyRequests: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    code?: "rate_limited" | "key_banned";
                };
            };
        };
        /** @description The service failed. The log has the cause under the request id. */
        InternalError: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    code?: "internal_error";
                };
            };
        };
        /** @description The service cannot answer now. Try again later. */
        Unavailable: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    code?: "unavailable";
                };
            };
        };
    };
    parameters: {
        /** @description Maximum number of items to return. */
        Limit: number;
        /** @description Filter by availability status. */
        Status: components["schemas"]["PetStatus"];
        /** @description Where the page begins, as the `Link` header of the page before gives it. Opaque. */
        Cursor: string;
        /** @description The `ETag` of an answer that you have, or a list of them. If it is still the answer, you get 304 without a body (RFC 9110, section 13.1.2). */
        "If-None-Match": string;
        /**
         * @description Names this request, so that it is done once however often it is sent (draft-ietf-httpapi-idempotency-key-header). 1 to 255 visible
         *     ASCII characters but `"` and `\`, in double quotes or bare, which is the same key: a UUID, say.
         */
        "Idempotency-Key": string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The limit in force for the caller, of the window with the least left.
         * @example 60
         */
        "X-RateLimit-Limit": number;
        /**
         * @description Requests remaining in the current window.
         * @example 59
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description Unix timestamp, in seconds, at which the limit resets.
         * @example 1764892860
         */
        "X-RateLimit-Reset": number;
        /**
         * @description Every window of the caller with its quota (`q`) and length in seconds (`w`), as in the IETF draft ratelimit-headers.
         * @example "minute";q=60;w=60, "day";q=1000;w=86400
         */
        "RateLimit-Policy": string;
        /**
         * @description What remains in each window (`r`) and the seconds until it ends (`t`), as in the IETF draft ratelimit-headers.
         * @example "minute";r=59;t=17, "day";r=999;t=86357
         */
        RateLimit: string;
        /**
         * @description Names this request in the log of the service. Quote it when you report a problem.
         * @example 0b8f6f3a-6f0c-4b5e-9c39-1f6d0f6f3c11
         */
        "X-Request-Id": string;
        /**
         * @description Whole seconds to wait before the next request, at least 1 (RFC 9110, section 10.2.3).
         * @example 17
         */
        "Retry-After": number;
        /**
         * @description The scheme to authenticate with; `error="invalid_token"` when a key was sent, `error="insufficient_scope"` with the `scope` that a key lacks (RFC 6750, section 3).
         * @example Bearer realm="petstore"
         */
        "WWW-Authenticate": string;
        /**
         * @description The methods that this path has (RFC 9110, section 10.2.1).
         * @example GET, HEAD, POST, OPTIONS
         */
        Allow: string;
        /**
         * @description Names this very body and `Link`, for `If-None-Match` (RFC 9110, section 8.8.3).
         * @example "T1PNoYwrqgwDVLtfmj7L5e0Sq02OEbqHPC8RFhICuUU"
         */
        ETag: string;
        /** @description `true` when this is the answer to an earlier request with the same `Idempotency-Key`. */
        "Idempotent-Replayed": "true";
        /**
         * @description The operation is not settled. It may change or go without notice.
         * @example experimental
         */
        "X-Stability-Experimental": "experimental";
        /**
         * @description The operation is not settled yet, but meant to stay.
         * @example beta
         */
        "X-Stability-Beta": "beta";
        /**
         * @description Relative references to the replacement with `rel="successor-version"`, and to the notice with `rel="deprecation"` and `rel="sunset"` (RFC 8288).
         * @example <../pets>; rel="successor-version", <../../deprecations#getPet>; rel="deprecation", <../../deprecations#getPet>; rel="sunset"
         */
        "Link-Deprecation": string;
        /**
         * @description Since when the operation is deprecated, as a structured date (RFC 9745).
         * @example @1764892800
         */
        Deprecation: string;
        /**
         * @description When the operation is to be removed, as an HTTP date (RFC 8594).
         * @example Thu, 05 Dec 2030 00:00:00 GMT
         */
        Sunset: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    /**
     * List animals
     * @description Animals in the order of their `id`, a page at a time. While there are more, the answer has a `Link` header with
     *     `rel="next"`: a relative reference to the next page, with the same `limit` and `status`.
     */
    listPets: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return. */
                limit?: components["parameters"]["Limit"] | undefined;
                /** @description Filter by availability status. */
                status?: components["parameters"]["Status"] | undefined;
                /** @description Where the page begins, as the `Link` header of the page before gives it. Opaque. */
                cursor?: components["parameters"]["Cursor"] | undefined;
            } | undefined;
            header?: {
                /** @description The `ETag` of an answer that you have, or a list of them. If it is still the answer, you get 304 without a body (RFC 9110, section 13.1.2). */
                "If-None-Match"?: components["parameters"]["If-None-Match"] | undefined;
            } | undefined;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of animals. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /**
                     * @description While there are more animals, a relative reference to the next page with `rel="next"` (RFC 8288).
                     * @example <?limit=20&cursor=MjA>; rel="next"
                     */
                    Link?: string;
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pets"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidPage"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["LacksPetsRead"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    /**
     * Add an animal
     * @description The answer comes after the animal is safely stored.
     */
    createPet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Names this request, so that it is done once however often it is sent (draft-ietf-httpapi-idempotency-key-header). 1 to 255 visible
                 *     ASCII characters but `"` and `\`, in double quotes or bare, which is the same key: a UUID, say.
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"] | undefined;
            } | undefined;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPet"];
            };
        };
        responses: {
            /** @description The created animal with its assigned `id`. */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pet"];
                };
            };
            /** @description The body is missing required fields or contains invalid values. */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @constant */
                        code?: "bad_request";
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["LacksPetsWrite"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    /**
     * Get an animal
     * @deprecated To be removed on 5 December 2030. Use listPets (GET /pets) instead.
     * @description **Deprecated.** To be removed on 5 December 2030. Use `GET /pets` with a `status` filter instead.
     *
     *     Every answer of this operation carries `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a `Link` to the replacement.
     */
    getPet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that you have, or a list of them. If it is still the answer, you get 304 without a body (RFC 9110, section 13.1.2). */
                "If-None-Match"?: components["parameters"]["If-None-Match"] | undefined;
            } | undefined;
            path: {
                /**
                 * @description The identifier of the animal to retrieve.
                 *     Exact as a JavaScript number only from -9007199254740991 to 9007199254740991.
                 * @example 1
                 */
                petId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The animal. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link-Deprecation"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pet"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The identifier is not an integer of 64 bits, or there is a query parameter. */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link-Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @constant */
                        code?: "bad_request";
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["LacksPetsRead"];
            /** @description The requested resource could not be found. */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link-Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @constant */
                        code?: "not_found";
                    };
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            /** @description The operation was removed. Only after its sunset, and only where the operator enforces it. */
            410: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link-Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @constant */
                        code?: "gone";
                    };
                };
            };
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    /**
     * List categories
     * @description Categories in the order of their `id`, a page at a time. While there are more, the answer has a `Link` header with
     *     `rel="next"`: a relative reference to the next page, with the same `limit`.
     */
    listCategories: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return. */
                limit?: components["parameters"]["Limit"] | undefined;
                /** @description Where the page begins, as the `Link` header of the page before gives it. Opaque. */
                cursor?: components["parameters"]["Cursor"] | undefined;
            } | undefined;
            header?: {
                /** @description The `ETag` of an answer that you have, or a list of them. If it is still the answer, you get 304 without a body (RFC 9110, section 13.1.2). */
                "If-None-Match"?: components["parameters"]["If-None-Match"] | undefined;
            } | undefined;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of categories. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /**
                     * @description While there are more categories, a relative reference to the next page with `rel="next"` (RFC 8288).
                     * @example <?limit=20&cursor=MjA>; rel="next"
                     */
                    Link?: string;
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Categories"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidPage"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["LacksPetsRead"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    /**
     * Add a category
     * @description The answer comes after the category is safely stored.
     */
    createCategory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Names this request, so that it is done once however often it is sent (draft-ietf-httpapi-idempotency-key-header). 1 to 255 visible
                 *     ASCII characters but `"` and `\`, in double quotes or bare, which is the same key: a UUID, say.
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"] | undefined;
            } | undefined;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCategory"];
            };
        };
        responses: {
            /** @description The created category with its assigned `id`. */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"];
                };
            };
            /** @description The body is missing required fields or contains invalid values. */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @constant */
                        code?: "bad_request";
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["LacksPetsWrite"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    /**
     * List orders
     * @description Orders in the order of their `id`, complete ones too, a page at a time. While there are more, the answer has a `Link` header
     *     with `rel="next"`: a relative reference to the next page, with the same `limit`.
     */
    listOrders: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return. */
                limit?: components["parameters"]["Limit"] | undefined;
                /** @description Where the page begins, as the `Link` header of the page before gives it. Opaque. */
                cursor?: components["parameters"]["Cursor"] | undefined;
            } | undefined;
            header?: {
                /** @description The `ETag` of an answer that you have, or a list of them. If it is still the answer, you get 304 without a body (RFC 9110, section 13.1.2). */
                "If-None-Match"?: components["parameters"]["If-None-Match"] | undefined;
            } | undefined;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of orders. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /**
                     * @description While there are more orders, a relative reference to the next page with `rel="next"` (RFC 8288).
                     * @example <?limit=20&cursor=MjA>; rel="next"
                     */
                    Link?: string;
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Orders"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidPage"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["LacksStoreRead"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    /**
     * Order an animal
     * @description Takes the quantity from the stock of the animal. Of orders that come at the same time, as many are taken as there is stock.
     *
     *     The answer comes after the order is safely stored.
     */
    placeOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Names this request, so that it is done once however often it is sent (draft-ietf-httpapi-idempotency-key-header). 1 to 255 visible
                 *     ASCII characters but `"` and `\`, in double quotes or bare, which is the same key: a UUID, say.
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"] | undefined;
            } | undefined;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewOrder"];
            };
        };
        responses: {
            /** @description The placed order with its assigned `id`. */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Stability": components["headers"]["X-Stability-Experimental"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            /** @description The body is missing required fields or contains invalid values. */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Stability": components["headers"]["X-Stability-Experimental"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @constant */
                        code?: "bad_request";
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["LacksStoreWrite"];
            404: components["responses"]["UnknownPet"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            /** @description The animal is sold, there is less of it in stock than the order asks for, or a request with the same `Idempotency-Key` is being answered. */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Stability": components["headers"]["X-Stability-Experimental"];
                    /**
                     * @description Only when an `Idempotency-Key` is in use, the whole seconds to wait.
                     * @example 1
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        code?: "conflict" | "idempotency_key_in_use";
                    };
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    /**
     * Cancel an order
     * @description Removes an order that is not complete and gives its quantity back to the stock.
     *
     *     The answer comes after the change is safely stored.
     */
    cancelOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the order to cancel.
                 *     Exact as a JavaScript number only from -9007199254740991 to 9007199254740991.
                 * @example 1
                 */
                orderId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order is cancelled. */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Stability": components["headers"]["X-Stability-Beta"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The identifier is not an integer of 64 bits, or there is a query parameter. */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Stability": components["headers"]["X-Stability-Beta"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @constant */
                        code?: "bad_request";
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["LacksStoreWrite"];
            /** @description There is no such order, or not any more. */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Stability": components["headers"]["X-Stability-Beta"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @constant */
                        code?: "not_found";
                    };
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            /** @description The order is complete. */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Stability": components["headers"]["X-Stability-Beta"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @constant */
                        code?: "conflict";
                    };
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    /**
     * List the stock
     * @description What is in stock of every animal, in the order of their ids, a page at a time. While there are more, the answer has a `Link`
     *     header with `rel="next"`: a relative reference to the next page, with the same `limit` and `status`.
     */
    listInventory: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return. */
                limit?: components["parameters"]["Limit"] | undefined;
                /** @description Filter by availability status. */
                status?: components["parameters"]["Status"] | undefined;
                /** @description Where the page begins, as the `Link` header of the page before gives it. Opaque. */
                cursor?: components["parameters"]["Cursor"] | undefined;
            } | undefined;
            header?: {
                /** @description The `ETag` of an answer that you have, or a list of them. If it is still the answer, you get 304 without a body (RFC 9110, section 13.1.2). */
                "If-None-Match"?: components["parameters"]["If-None-Match"] | undefined;
            } | undefined;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the stock. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /**
                     * @description While there are more animals, a relative reference to the next page with `rel="next"` (RFC 8288).
                     * @example <?limit=20&cursor=MjA>; rel="next"
                     */
                    Link?: string;
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inventory"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidPage"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["LacksStoreRead"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    /**
     * Set the stock of an animal
     * @description Sets how many of an animal are in stock; open orders have taken theirs before and are not counted. An animal that is sold stays so.
     *
     *     The answer comes after the change is safely stored.
     */
    updateInventory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the animal.
                 *     Exact as a JavaScript number only from -9007199254740991 to 9007199254740991.
                 * @example 1
                 */
                petId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InventoryUpdate"];
            };
        };
        responses: {
            /** @description The stock of the animal. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Stability": components["headers"]["X-Stability-Experimental"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InventoryItem"];
                };
            };
            /** @description The identifier is not an integer of 64 bits, there is a query parameter, or the body contains an invalid value. */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Stability": components["headers"]["X-Stability-Experimental"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @constant */
                        code?: "bad_request";
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["LacksStoreWrite"];
            404: components["responses"]["UnknownPet"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
