import { runRows } from './harness/runRows.ts';
import { subPathRows } from './rows/domain/subPaths.ts';
import { referenceRows } from './rows/references.ts';
import { refusalRows } from './rows/refusals.ts';
import { storedRows } from './rows/stored.ts';
import { writeRows } from './rows/writes.ts';

runRows([...subPathRows, ...storedRows, ...referenceRows, ...refusalRows, ...writeRows]);
