/**
 * Host names of the embedded platform lie below these: reserved names, so that nothing leaves the machine
 * (platform/lifecycle.endpoints).
 */
export const publicDomain = 'apps.example';
export const internalDomain = 'internal.example';
