import { App, Stack } from 'gantry';
import { addService } from '../../service.ts';

const app = new App();
const stack = new Stack(app, 'sample-prod');
addService(stack, {
  environment: 'prod',
  version: '1.0.0',
  locations: ['aws-eu-central-1', 'aws-us-east-1'],
  maxScale: 10,
});
