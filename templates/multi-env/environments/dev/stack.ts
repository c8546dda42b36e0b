import { App, Stack } from 'gantry';
import { addService } from '../../service.ts';

const app = new App();
const stack = new Stack(app, 'sample-dev');
addService(stack, { environment: 'dev', version: '1.1.0-rc.1', locations: ['aws-eu-central-1'], maxScale: 1 });
