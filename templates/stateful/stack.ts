import { App, Stack } from 'gantry';
import { addDatabase } from './database.ts';

const password = process.env['SAMPLE_DB_PASSWORD'] ?? 'development-only';

const app = new App();
const stack = new Stack(app, 'sample');
addDatabase(stack, { password, capacityGb: 20 });
