import { App, Gvc, Stack } from 'gantry';
import { addService } from './service.ts';

const app = new App();
const stack = new Stack(app, 'sample');
const gvc = new Gvc(stack, 'sample', { locations: ['aws-eu-central-1'] });
addService(gvc, { image: 'registry.example.com/sample:1.0.0' });
