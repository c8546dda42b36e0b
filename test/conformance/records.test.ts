import { runRows } from './harness/runRows.ts';
import { envelopeRows } from './rows/envelope.ts';
import { gvcRows } from './rows/gvc.ts';

runRows([...envelopeRows, ...gvcRows]);
