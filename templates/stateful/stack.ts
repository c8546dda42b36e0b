import { App, Gvc, Stack } from 'gantry';
import { addDatabase } from './database.ts';

const password = process.env['SAMPLE_DB_PASSWORD'] ?? 'development-only';

const app = new App();
const stack = new Stack(app, 'sample');
const gvc = new Gvc(stack, 'sample', { locations: ['aws-eu-central-1'] });
addDatabase(stack, gvc, { password, capacityGb: 20 });
