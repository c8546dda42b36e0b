/** The address of the provider: with its own host name, so that no registry is queried for it. */
export const providerSource = 'gantry.local/gantry/gantry';

/** Its local name, and the prefix of its types. */
export const providerType = 'gantry';
