import { App, Stack } from 'gantry';
import { addService, type Values } from './service.ts';

const app = new App<Values>();
const { name, values } = app.environment;
addService(new Stack(app, `sample-${name}`), name, values);
