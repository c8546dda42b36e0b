/**
 * The provider as an executable for Windows, which starts no scripts: Node with this program, and its other parts next
 * to it.
 */
import { createRequire } from 'node:module';

createRequire(process.execPath)('./parts/main.mjs');
