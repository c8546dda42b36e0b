import { App, Gvc, Stack } from 'gantry';
import { addService, type Values } from './service.ts';

const app = new App<Values>();
const { name, values } = app.environment;
const stack = new Stack(app, `sample-${name}`);
const gvc = new Gvc(stack, `sample-${name}`, { locations: values.locations, tags: { environment: name } });
addService(gvc, name, values);
