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
