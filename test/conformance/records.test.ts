import { envelopeRows } from './rows/envelope.ts';
import { gvcRows } from './rows/gvc.ts';
import { runRows } from './runRows.ts';

runRows([...envelopeRows, ...gvcRows]);
