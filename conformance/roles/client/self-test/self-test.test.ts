import { testSample } from '../../../testing/sample-self-test.ts';
import { clientCatalogue } from './self-test.ts';

testSample(clientCatalogue, { defects: [], harmless: [], scenarios: [] });
