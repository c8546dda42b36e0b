import { growthRows } from './rows/growth.ts';
import { volumeRuleRows } from './rows/volumeRules.ts';
import { volumeSetRows } from './rows/volumeSet.ts';
import { runRows } from './runRows.ts';

runRows([...volumeSetRows, ...volumeRuleRows, ...growthRows]);
