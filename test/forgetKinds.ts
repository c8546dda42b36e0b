import { forgetKinds } from './kinds/withKinds.ts';

// Test files share their process: kinds that one defines (a guide, a project) are not those of the next.
forgetKinds();
