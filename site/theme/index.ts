/** The theme of the site: that of VitePress, with the system's fonts and our colours. */
import theme from 'vitepress/theme-without-fonts';
import './style.css';

export default theme;
