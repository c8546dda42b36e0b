import { behaviourRows } from './rows/behaviour.ts';
import { lifeRows } from './rows/life.ts';
import { referenceRows } from './rows/references.ts';
import { refusalRows } from './rows/refusals.ts';
import { storedRows } from './rows/stored.ts';
import { subPathRows } from './rows/subPaths.ts';
import { runRows } from './runRows.ts';

runRows([...subPathRows, ...behaviourRows, ...lifeRows, ...storedRows, ...referenceRows, ...refusalRows]);
