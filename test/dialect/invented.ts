import { readDialect } from '../../src/dialect/readDialect.ts';

/** An invented installation. */
export const invented = {
  words: { scheme: 'quay', proxy: 'sluice', vendor: 'ferry', tracer: 'lantern' },
  names: {
    controlplane: 'gatehouse',
    'proxy.filters.http.cors': 'crossings.v2',
    'scheme/release': 'quay/edition',
    'x-scheme-session': 'x-visit',
  },
};

export const dialect = readDialect(invented, 'invented.yaml');

/** An invented installation with difficult words: those of the platform, with digits, and swapped names. */
export const awkward = {
  words: { scheme: 'lan4', proxy: 'type', vendor: 'k9', tracer: 'cpu' },
  names: {
    controlplane: 'title',
    inheritEnv: 'heir',
    proxy_grpc: 'k9_grpcs',
    'proxy.filters.http.cors': 'proxy.filters.http.x',
    scheme: 'main-trail',
    'scheme/protected': 'scheme/locked',
  },
};
