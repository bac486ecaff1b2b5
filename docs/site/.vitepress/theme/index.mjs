import { useRoute } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { nextTick, onMounted, watch } from 'vue';
import './examples.css';

export default {
  extends: DefaultTheme,
  setup() {
    const route = useRoute();
    // The examples have the code of a server for company, which other pages don't load.
    const addButtons = () =>
      nextTick(async () => {
        if (!/\/docs\/(?:functions|query-tutorial)$/.test(route.path.replace(/\.html$/, ''))) return;
        const { makeRunnable } = await import('./runnable-examples.ts');
        makeRunnable(document, import.meta.env.BASE_URL);
      });
    onMounted(addButtons);
    watch(() => route.path, addButtons);
  },
};
