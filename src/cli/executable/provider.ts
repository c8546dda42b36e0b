/** The provider as an executable of Windows, which starts no scripts: Node with this, and the parts beside it. */
import { createRequire } from 'node:module';

createRequire(process.execPath)('./parts/main.mjs');
