/** The address of the provider: a host of its own, so that no registry is asked for it. */
export const providerSource = 'gantry.local/gantry/gantry';

/** Its local name, and the prefix of its types. */
export const providerType = 'gantry';
