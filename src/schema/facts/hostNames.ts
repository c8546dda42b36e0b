/**
 * Host names of the embedded platform are below these reserved names, so that no request leaves the machine
 * (platform/lifecycle.endpoints).
 */
export const publicDomain = 'apps.example';
export const internalDomain = 'internal.example';
