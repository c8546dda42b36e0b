import { readDialect } from '../../src/dialect/readDialect.ts';

/** An installation that nobody has. */
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

/**
 * One that makes it as hard as it may: words of the platform, of each other and with digits, and names that turn round.
 */
export const awkward = {
  words: { scheme: 'tracer', proxy: 'type', vendor: 'k9', tracer: 'lan4' },
  names: {
    tags: 'labelling',
    name: 'title',
    data: 'payloads',
    typed_config: 'cfg',
    proxy_grpc: 'k9_grpcs',
    targetQuery: 'tq',
    'proxy.filters.http.cors': 'proxy.filters.http.x',
    scheme: 'main-trail',
    'scheme/protected': 'scheme/locked',
  },
};
