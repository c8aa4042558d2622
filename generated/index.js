// Made from openapi/petstore.yaml by `npm run generate`. Do not edit.

"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.faultInValues = exports.errorCodeValues = exports.petStatusValues = void 0;
exports.petStatusValues = ["available", "pending", "sold"];
exports.errorCodeValues = ["bad_request", "unauthorized", "forbidden", "not_found", "method_not_allowed", "request_timeout", "conflict", "idempotency_key_in_use", "gone", "precondition_failed", "payload_too_large", "uri_too_long", "unsupported_media_type", "expectation_failed", "idempotency_key_reused", "rate_limited", "key_banned", "headers_too_large", "internal_error", "not_implemented", "unavailable", "http_version_not_supported"];
exports.faultInValues = ["body", "query", "path", "header", "cookie"];
