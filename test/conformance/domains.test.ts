import { domainRows } from './rows/domain.ts';
import { domainStatusRows } from './rows/domainStatus.ts';
import { runRows } from './runRows.ts';

runRows([...domainRows, ...domainStatusRows]);
