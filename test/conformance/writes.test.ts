import { runRows } from './harness/runRows.ts';
import { referenceRows } from './rows/references.ts';
import { refusalRows } from './rows/refusals.ts';
import { storedRows } from './rows/stored.ts';
import { writeRows } from './rows/writes.ts';

runRows([...storedRows, ...referenceRows, ...refusalRows, ...writeRows]);
