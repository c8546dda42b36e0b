import { accessTypes } from './accessWords.ts';
import { containerTypes } from './containerWords.ts';
import { domainTypes } from './domainWords.ts';
import { gvcTypes } from './gvcWords.ts';
import { networkTypes } from './networkWords.ts';
import { proxyClusterTypes } from './proxyClusterWords.ts';
import { proxyMatchTypes } from './proxyMatchWords.ts';
import { proxyTypes } from './proxyWords.ts';
import { readOnlyTypes } from './readOnlyWords.ts';
import { secretTypes } from './secretWords.ts';
import { storageTypes } from './storageWords.ts';
import type { TypeTable } from './typeWords.ts';
import { workloadTypes } from './workloadWords.ts';

/** Every named type of the schema, by name. */
export const allTypes: TypeTable = {
  ...workloadTypes,
  ...containerTypes,
  ...networkTypes,
  ...gvcTypes,
  ...domainTypes,
  ...accessTypes,
  ...storageTypes,
  ...secretTypes,
  ...proxyTypes,
  ...proxyClusterTypes,
  ...proxyMatchTypes,
  ...readOnlyTypes,
};
