import { runRows } from './harness/runRows.ts';
import { domainRows } from './rows/domain/domain.ts';
import { domainStatusRows } from './rows/domain/domainStatus.ts';

runRows([...domainRows, ...domainStatusRows]);
