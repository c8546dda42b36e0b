// Once in each process: Vitest evaluates this file anew for each file of tests, but not what it imports.
import './harness/resolution.ts';
import { forgetKinds } from './kinds/withKinds.ts';

// Test files share their process: kinds that one defines (a guide, a project) are not those of the next.
forgetKinds();
