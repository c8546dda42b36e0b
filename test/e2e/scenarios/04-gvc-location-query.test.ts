import { runScenario } from '../harness/scenario.ts';
import { scenario } from './04-gvc-location-query.ts';

runScenario(scenario);
