// Once in each process: Vitest evaluates this file again for each test file, but not its imports.
import './harness/resolution.ts';
import { afterAll } from 'vitest';
import { forgetKinds } from './kinds/withKinds.ts';
import { removeTemporaryFolders } from './temporaryFolder.ts';

// Test files share their process: kinds that one file defines (a guide, a project) must not reach the next.
forgetKinds();
afterAll(removeTemporaryFolders);
