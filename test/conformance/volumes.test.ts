import { runRows } from './harness/runRows.ts';
import { growthRows } from './rows/volumeset/growth.ts';
import { volumeRuleRows } from './rows/volumeset/volumeRules.ts';
import { volumeSetRows } from './rows/volumeset/volumeSet.ts';

runRows([...volumeSetRows, ...volumeRuleRows, ...growthRows]);
