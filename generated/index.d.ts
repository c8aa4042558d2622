// Made from openapi/petstore.yaml by `npm run generate`. Do not edit.

import type { components, operations } from "./petstore.js";
export type { components, operations, paths, webhooks } from "./petstore.js";
/**
 * @description Availability status of an animal.
 * @enum {string}
 */
export type PetStatus = components["schemas"]["PetStatus"];
/** @description An animal to add. */
export type NewPet = components["schemas"]["NewPet"];
/** @description An animal of the store. */
export type Pet = components["schemas"]["Pet"];
/** @description A page of animals. */
export type Pets = components["schemas"]["Pets"];
/** @description A category to add. */
export type NewCategory = components["schemas"]["NewCategory"];
/** @description A category that animals belong to. */
export type Category = components["schemas"]["Category"];
/** @description A page of categories. */
export type Categories = components["schemas"]["Categories"];
/** @description An order to place. */
export type NewOrder = components["schemas"]["NewOrder"];
/** @description An order of an animal. */
export type Order = components["schemas"]["Order"];
/** @description A page of orders. */
export type Orders = components["schemas"]["Orders"];
/** @description What is in stock of an animal. */
export type InventoryItem = components["schemas"]["InventoryItem"];
/** @description A change of what is in stock. */
export type InventoryUpdate = components["schemas"]["InventoryUpdate"];
/** @description A page of the stock. */
export type Inventory = components["schemas"]["Inventory"];
/**
 * @description Machine-readable error code. More values may come, so have a default for those that you do not know.
 * @enum {string}
 */
export type ErrorCode = components["schemas"]["ErrorCode"];
/** @description One value of a request that is wrong. */
export type Fault = components["schemas"]["Fault"];
/** @description What went wrong. */
export type Error = components["schemas"]["Error"];
/** @description The query parameters of `listPets` (GET /pets). */
export type ListPetsQuery = NonNullable<operations["listPets"]["parameters"]["query"]>;
/** @description The header parameters of `listPets` (GET /pets). */
export type ListPetsHeader = NonNullable<operations["listPets"]["parameters"]["header"]>;
/** @description What `listPets` (GET /pets) answers with 200. */
export type ListPetsResponse = operations["listPets"]["responses"][200]["content"]["application/json"];
/** @description What `listPets` (GET /pets) answers when it fails, with 400, 401, 403, 405, 412, 429, 500, 503. */
export type ListPetsError = operations["listPets"]["responses"][400 | 401 | 403 | 405 | 412 | 429 | 500 | 503]["content"]["application/json"];
/** @description The header parameters of `createPet` (POST /pets). */
export type CreatePetHeader = NonNullable<operations["createPet"]["parameters"]["header"]>;
/** @description The request body of `createPet` (POST /pets). */
export type CreatePetBody = NonNullable<operations["createPet"]["requestBody"]>["content"]["application/json"];
/** @description What `createPet` (POST /pets) answers with 201. */
export type CreatePetResponse = operations["createPet"]["responses"][201]["content"]["application/json"];
/** @description What `createPet` (POST /pets) answers when it fails, with 400, 401, 403, 405, 408, 409, 412, 413, 415, 422, 429, 500, 503. */
export type CreatePetError = operations["createPet"]["responses"][400 | 401 | 403 | 405 | 408 | 409 | 412 | 413 | 415 | 422 | 429 | 500 | 503]["content"]["application/json"];
/**
 * @deprecated To be removed on 5 December 2030. Use listPets (GET /pets) instead.
 * @description The path parameters of `getPet` (GET /pets/{petId}).
 */
export type GetPetPath = NonNullable<operations["getPet"]["parameters"]["path"]>;
/**
 * @deprecated To be removed on 5 December 2030. Use listPets (GET /pets) instead.
 * @description The header parameters of `getPet` (GET /pets/{petId}).
 */
export type GetPetHeader = NonNullable<operations["getPet"]["parameters"]["header"]>;
/**
 * @deprecated To be removed on 5 December 2030. Use listPets (GET /pets) instead.
 * @description What `getPet` (GET /pets/{petId}) answers with 200.
 */
export type GetPetResponse = operations["getPet"]["responses"][200]["content"]["application/json"];
/**
 * @deprecated To be removed on 5 December 2030. Use listPets (GET /pets) instead.
 * @description What `getPet` (GET /pets/{petId}) answers when it fails, with 400, 401, 403, 404, 405, 410, 412, 429, 500, 503.
 */
export type GetPetError = operations["getPet"]["responses"][400 | 401 | 403 | 404 | 405 | 410 | 412 | 429 | 500 | 503]["content"]["application/json"];
/** @description The query parameters of `listCategories` (GET /categories). */
export type ListCategoriesQuery = NonNullable<operations["listCategories"]["parameters"]["query"]>;
/** @description The header parameters of `listCategories` (GET /categories). */
export type ListCategoriesHeader = NonNullable<operations["listCategories"]["parameters"]["header"]>;
/** @description What `listCategories` (GET /categories) answers with 200. */
export type ListCategoriesResponse = operations["listCategories"]["responses"][200]["content"]["application/json"];
/** @description What `listCategories` (GET /categories) answers when it fails, with 400, 401, 403, 405, 412, 429, 500, 503. */
export type ListCategoriesError = operations["listCategories"]["responses"][400 | 401 | 403 | 405 | 412 | 429 | 500 | 503]["content"]["application/json"];
/** @description The header parameters of `createCategory` (POST /categories). */
export type CreateCategoryHeader = NonNullable<operations["createCategory"]["parameters"]["header"]>;
/** @description The request body of `createCategory` (POST /categories). */
export type CreateCategoryBody = NonNullable<operations["createCategory"]["requestBody"]>["content"]["application/json"];
/** @description What `createCategory` (POST /categories) answers with 201. */
export type CreateCategoryResponse = operations["createCategory"]["responses"][201]["content"]["application/json"];
/** @description What `createCategory` (POST /categories) answers when it fails, with 400, 401, 403, 405, 408, 409, 412, 413, 415, 422, 429, 500, 503. */
export type CreateCategoryError = operations["createCategory"]["responses"][400 | 401 | 403 | 405 | 408 | 409 | 412 | 413 | 415 | 422 | 429 | 500 | 503]["content"]["application/json"];
/** @description The query parameters of `listOrders` (GET /store/orders). */
export type ListOrdersQuery = NonNullable<operations["listOrders"]["parameters"]["query"]>;
/** @description The header parameters of `listOrders` (GET /store/orders). */
export type ListOrdersHeader = NonNullable<operations["listOrders"]["parameters"]["header"]>;
/** @description What `listOrders` (GET /store/orders) answers with 200. */
export type ListOrdersResponse = operations["listOrders"]["responses"][200]["content"]["application/json"];
/** @description What `listOrders` (GET /store/orders) answers when it fails, with 400, 401, 403, 405, 412, 429, 500, 503. */
export type ListOrdersError = operations["listOrders"]["responses"][400 | 401 | 403 | 405 | 412 | 429 | 500 | 503]["content"]["application/json"];
/** @description The header parameters of `placeOrder` (POST /store/orders). */
export type PlaceOrderHeader = NonNullable<operations["placeOrder"]["parameters"]["header"]>;
/** @description The request body of `placeOrder` (POST /store/orders). */
export type PlaceOrderBody = NonNullable<operations["placeOrder"]["requestBody"]>["content"]["application/json"];
/** @description What `placeOrder` (POST /store/orders) answers with 201. */
export type PlaceOrderResponse = operations["placeOrder"]["responses"][201]["content"]["application/json"];
/** @description What `placeOrder` (POST /store/orders) answers when it fails, with 400, 401, 403, 404, 405, 408, 409, 412, 413, 415, 422, 429, 500, 503. */
export type PlaceOrderError = operations["placeOrder"]["responses"][400 | 401 | 403 | 404 | 405 | 408 | 409 | 412 | 413 | 415 | 422 | 429 | 500 | 503]["content"]["application/json"];
/** @description The path parameters of `cancelOrder` (DELETE /store/orders/{orderId}). */
export type CancelOrderPath = NonNullable<operations["cancelOrder"]["parameters"]["path"]>;
/** @description What `cancelOrder` (DELETE /store/orders/{orderId}) answers with 204. */
export type CancelOrderResponse = undefined;
/** @description What `cancelOrder` (DELETE /store/orders/{orderId}) answers when it fails, with 400, 401, 403, 404, 405, 408, 409, 412, 413, 415, 429, 500, 503. */
export type CancelOrderError = operations["cancelOrder"]["responses"][400 | 401 | 403 | 404 | 405 | 408 | 409 | 412 | 413 | 415 | 429 | 500 | 503]["content"]["application/json"];
/** @description The query parameters of `listInventory` (GET /inventory). */
export type ListInventoryQuery = NonNullable<operations["listInventory"]["parameters"]["query"]>;
/** @description The header parameters of `listInventory` (GET /inventory). */
export type ListInventoryHeader = NonNullable<operations["listInventory"]["parameters"]["header"]>;
/** @description What `listInventory` (GET /inventory) answers with 200. */
export type ListInventoryResponse = operations["listInventory"]["responses"][200]["content"]["application/json"];
/** @description What `listInventory` (GET /inventory) answers when it fails, with 400, 401, 403, 405, 412, 429, 500, 503. */
export type ListInventoryError = operations["listInventory"]["responses"][400 | 401 | 403 | 405 | 412 | 429 | 500 | 503]["content"]["application/json"];
/** @description The path parameters of `updateInventory` (PATCH /inventory/{petId}). */
export type UpdateInventoryPath = NonNullable<operations["updateInventory"]["parameters"]["path"]>;
/** @description The request body of `updateInventory` (PATCH /inventory/{petId}). */
export type UpdateInventoryBody = NonNullable<operations["updateInventory"]["requestBody"]>["content"]["application/json"];
/** @description What `updateInventory` (PATCH /inventory/{petId}) answers with 200. */
export type UpdateInventoryResponse = operations["updateInventory"]["responses"][200]["content"]["application/json"];
/** @description What `updateInventory` (PATCH /inventory/{petId}) answers when it fails, with 400, 401, 403, 404, 405, 408, 412, 413, 415, 429, 500, 503. */
export type UpdateInventoryError = operations["updateInventory"]["responses"][400 | 401 | 403 | 404 | 405 | 408 | 412 | 413 | 415 | 429 | 500 | 503]["content"]["application/json"];
/** @description What any operation answers when it fails. */
export type ApiError = ListPetsError | CreatePetError | GetPetError | ListCategoriesError | CreateCategoryError | ListOrdersError | PlaceOrderError | CancelOrderError | ListInventoryError | UpdateInventoryError;
export declare const petStatusValues: readonly ["available", "pending", "sold"];
export declare const errorCodeValues: readonly ["bad_request", "unauthorized", "forbidden", "not_found", "method_not_allowed", "request_timeout", "conflict", "idempotency_key_in_use", "gone", "precondition_failed", "payload_too_large", "uri_too_long", "unsupported_media_type", "expectation_failed", "idempotency_key_reused", "rate_limited", "key_banned", "headers_too_large", "internal_error", "not_implemented", "unavailable", "http_version_not_supported"];
export declare const faultInValues: readonly ["body", "query", "path", "header", "cookie"];
