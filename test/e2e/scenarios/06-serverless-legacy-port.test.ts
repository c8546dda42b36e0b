import { runScenario } from '../harness/scenario.ts';
import { scenario } from './06-serverless-legacy-port.ts';

runScenario(scenario);
