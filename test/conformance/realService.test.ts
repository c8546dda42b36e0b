import { realServiceRows } from './rows/realService.ts';
import { runRows } from './runRows.ts';

runRows(realServiceRows);
