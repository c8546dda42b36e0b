import { App, Stack } from 'gantry';
import { addService } from './service.ts';

const app = new App();
const stack = new Stack(app, 'sample');
addService(stack, { image: 'registry.example.com/sample:1.0.0' });
