import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.lang.model.element.*;
import javax.lang.model.type.*;
import javax.lang.model.util.*;
import javax.tools.*;

/**
 * Facts of a Java repository, by javac's own API.
 *
 *     java Facts.java ROOT FOLDER... > facts.jsonl
 *
 * What other libraries define is not there: what is made of it has no type,
 * and a name that javac gives no meaning is unknown.
 */
public class Facts {
    static Path root;
    static Trees trees;
    static Types types;
    static Elements elements;
    static PrintStream out;
    static final Map<Element, String> ids = new HashMap<>();
    static final Map<String, String> classFiles = new TreeMap<>();

    public static void main(String[] args) throws Exception {
        root = Path.of(args[0]).toRealPath();
        out = new PrintStream(new BufferedOutputStream(System.out, 1 << 16), false, "UTF-8");
        List<File> files = new ArrayList<>();
        for (int at = 1; at < args.length; at++) {
            try (Stream<Path> all = Files.walk(root.resolve(args[at]))) {
                all.filter(p -> p.toString().endsWith(".java")).sorted().forEach(p -> files.add(p.toFile()));
            }
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager manager = compiler.getStandardFileManager(d -> {}, null, StandardCharsets.UTF_8);
        List<String> options = List.of("-proc:none", "-XDshould-stop.ifError=FLOW", "-Xmaxerrs", "100000");
        JavacTask task = (JavacTask) compiler.getTask(null, manager, d -> {}, options, null, manager.getJavaFileObjectsFromFiles(files));
        trees = Trees.instance(task);
        types = task.getTypes();
        elements = task.getElements();
        List<CompilationUnitTree> units = new ArrayList<>();
        for (CompilationUnitTree unit : task.parse()) {
            units.add(unit);
        }
        task.analyze();
        for (CompilationUnitTree unit : units) {
            new Definitions(unit).scan(unit, null);
        }
        for (CompilationUnitTree unit : units) {
            new Uses(unit).scan(unit, null);
        }
        out.flush();
    }

    static String quote(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    static class Place extends TreePathScanner<Void, Void> {
        final CompilationUnitTree unit;
        final String path;
        final CharSequence text;
        final SourcePositions positions = trees.getSourcePositions();

        Place(CompilationUnitTree unit) {
            this.unit = unit;
            this.path = root.relativize(Path.of(unit.getSourceFile().toUri())).toString();
            try {
                this.text = unit.getSourceFile().getCharContent(true);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        long line(long at) {
            return unit.getLineMap().getLineNumber(at);
        }

        String where(long at) {
            long start = unit.getLineMap().getStartPosition(line(at));
            return "\"path\":" + quote(path) + ",\"line\":" + line(at) + ",\"column\":" + (at - start + 1);
        }

        /** The first place of a word from a position on, outside of comments and annotations. */
        long find(String name, long from, long to) {
            for (long at = from; at >= 0 && at + name.length() <= Math.min(to, text.length()); at++) {
                boolean begins = at == 0 || !Character.isJavaIdentifierPart(text.charAt((int) at - 1));
                int end = (int) at + name.length();
                boolean ends = end >= text.length() || !Character.isJavaIdentifierPart(text.charAt(end));
                if (begins && ends && name.contentEquals(text.subSequence((int) at, end))) {
                    return at;
                }
            }
            return -1;
        }
    }

    static class Definitions extends Place {
        Definitions(CompilationUnitTree unit) {
            super(unit);
        }

        @Override
        public Void visitCompilationUnit(CompilationUnitTree node, Void v) {
            out.println("{\"t\":\"file\",\"path\":" + quote(path) + "}");
            return super.visitCompilationUnit(node, v);
        }

        void define(Tree node, Tree modifiers, String name, String kind, boolean local) {
            Element element = trees.getElement(getCurrentPath());
            long start = positions.getStartPosition(unit, node);
            long end = positions.getEndPosition(unit, node);
            if (element == null || start < 0 || name.isEmpty()) {
                return;
            }
            long after = modifiers == null ? start : Math.max(start, positions.getEndPosition(unit, modifiers));
            Tree type = node instanceof MethodTree m ? m.getReturnType() : node instanceof VariableTree w ? w.getType() : null;
            // The name stands behind its type; an enum constant has none that is written.
            if (type != null && !(element.getKind() == ElementKind.ENUM_CONSTANT)) {
                after = Math.max(after, positions.getEndPosition(unit, type));
            }
            long at = find(name, after, end);
            if (at < 0) {
                return;
            }
            String id = path + ":" + at;
            ids.put(element, id);
            Element above = element.getEnclosingElement();
            String owner = above instanceof TypeElement && !kind.equals("type") ? above.getSimpleName().toString() : "";
            boolean nobody = owner.isEmpty() && !kind.equals("type");
            out.println("{\"t\":\"def\",\"id\":" + quote(id) + ",\"kind\":" + quote(kind) + ",\"name\":" + quote(name)
                + (owner.isEmpty() ? "" : ",\"owner\":" + quote(owner)) + "," + where(at) + ",\"end\":" + line(end)
                + (local || nobody ? ",\"local\":true" : "") + "}");
        }

        @Override
        public Void visitClass(ClassTree node, Void v) {
            boolean inner = getCurrentPath().getParentPath().getLeaf() instanceof BlockTree;
            define(node, node.getModifiers(), node.getSimpleName().toString(), "type", inner);
            Element element = trees.getElement(getCurrentPath());
            if (element instanceof TypeElement type) {
                classFiles.putIfAbsent(type.getQualifiedName().toString(), path);
            }
            return super.visitClass(node, v);
        }

        @Override
        public Void visitMethod(MethodTree node, Void v) {
            String name = node.getName().toString();
            Element owner = trees.getElement(getCurrentPath()).getEnclosingElement();
            boolean made = name.equals("<init>");
            // A constructor stands for its class.
            define(node, node.getModifiers(), made ? owner.getSimpleName().toString() : name, made ? "constructor" : "method", made);
            return super.visitMethod(node, v);
        }

        @Override
        public Void visitVariable(VariableTree node, Void v) {
            Element element = trees.getElement(getCurrentPath());
            boolean field = element != null && element.getKind() == ElementKind.FIELD;
            boolean variant = element != null && element.getKind() == ElementKind.ENUM_CONSTANT;
            String kind = variant ? "variant" : field ? "field" : "local";
            define(node, node.getModifiers(), node.getName().toString(), kind, !field && !variant);
            return super.visitVariable(node, v);
        }
    }

    static class Uses extends Place {
        Uses(CompilationUnitTree unit) {
            super(unit);
        }

        void refer(Element element, String name, long at, String role) {
            if (at < 0 || name.equals("this") || name.equals("super") || name.equals("class")) {
                return;
            }
            if (element == null || element.asType().getKind() == TypeKind.ERROR) {
                if (element == null || !(element instanceof VariableElement)) {
                    out.println("{\"t\":\"unknown\",\"name\":" + quote(name) + "," + where(at) + "}");
                    return;
                }
            }
            Element found = element;
            if (found.getKind() == ElementKind.CONSTRUCTOR) {
                found = found.getEnclosingElement();
            }
            String id = ids.get(found);
            if (id != null) {
                out.println("{\"t\":\"ref\",\"to\":" + quote(id) + "," + where(at) + ",\"role\":" + quote(role) + "}");
            }
        }

        String role(TreePath path) {
            Tree leaf = path.getLeaf();
            Tree above = path.getParentPath().getLeaf();
            if (above instanceof MethodInvocationTree call && call.getMethodSelect() == leaf) {
                return "call";
            }
            if (above instanceof NewClassTree made && made.getIdentifier() == leaf) {
                return "call";
            }
            if (above instanceof ParameterizedTypeTree) {
                return role(path.getParentPath());
            }
            if (above instanceof ImportTree) {
                return "import";
            }
            if (above instanceof ClassTree type && (type.getExtendsClause() == leaf || type.getImplementsClause().contains(leaf))) {
                return "inherit";
            }
            if (above instanceof AssignmentTree set && set.getVariable() == leaf) {
                return "write";
            }
            Element element = trees.getElement(path);
            return element instanceof TypeElement ? "type" : "read";
        }

        @Override
        public Void visitIdentifier(IdentifierTree node, Void v) {
            refer(trees.getElement(getCurrentPath()), node.getName().toString(), positions.getStartPosition(unit, node), role(getCurrentPath()));
            return super.visitIdentifier(node, v);
        }

        @Override
        public Void visitMemberSelect(MemberSelectTree node, Void v) {
            long from = positions.getEndPosition(unit, node.getExpression());
            long at = find(node.getIdentifier().toString(), from, positions.getEndPosition(unit, node));
            Element element = trees.getElement(getCurrentPath());
            refer(element, node.getIdentifier().toString(), at, role(getCurrentPath()));
            return super.visitMemberSelect(node, v);
        }

        @Override
        public Void visitMemberReference(MemberReferenceTree node, Void v) {
            long from = positions.getEndPosition(unit, node.getQualifierExpression());
            long at = find(node.getName().toString(), from, positions.getEndPosition(unit, node));
            refer(trees.getElement(getCurrentPath()), node.getName().toString(), at, "read");
            return super.visitMemberReference(node, v);
        }

        @Override
        public Void visitMethod(MethodTree node, Void v) {
            if (trees.getElement(getCurrentPath()) instanceof ExecutableElement method && ids.containsKey(method)) {
                TypeElement owner = (TypeElement) method.getEnclosingElement();
                for (TypeElement above : ancestors(owner)) {
                    for (ExecutableElement other : ElementFilter.methodsIn(above.getEnclosedElements())) {
                        if (ids.containsKey(other) && elements.overrides(method, other, owner)) {
                            out.println("{\"t\":\"same\",\"ids\":[" + quote(ids.get(method)) + "," + quote(ids.get(other)) + "]}");
                        }
                    }
                }
            }
            return super.visitMethod(node, v);
        }

        List<TypeElement> ancestors(TypeElement of) {
            List<TypeElement> found = new ArrayList<>();
            Deque<TypeMirror> step = new ArrayDeque<>(types.directSupertypes(of.asType()));
            while (!step.isEmpty()) {
                TypeMirror one = step.pop();
                if (types.asElement(one) instanceof TypeElement type && one.getKind() == TypeKind.DECLARED && !found.contains(type)) {
                    found.add(type);
                    step.addAll(types.directSupertypes(one));
                }
            }
            return found;
        }

        @Override
        public Void visitImport(ImportTree node, Void v) {
            String name = node.getQualifiedIdentifier().toString();
            Set<String> to = new TreeSet<>();
            if (name.endsWith(".*") && !node.isStatic()) {
                String folder = name.substring(0, name.length() - 2);
                for (Map.Entry<String, String> one : classFiles.entrySet()) {
                    if (one.getKey().equals(folder) || one.getKey().startsWith(folder + ".") && one.getKey().indexOf('.', folder.length() + 1) < 0) {
                        String file = one.getValue();
                        to.add(classFiles.containsKey(folder) ? file : file.substring(0, file.lastIndexOf('/') + 1));
                    }
                }
            } else {
                for (String stem = name; stem.contains("."); stem = stem.substring(0, stem.lastIndexOf('.'))) {
                    if (classFiles.containsKey(stem)) {
                        to.add(classFiles.get(stem));
                        break;
                    }
                }
            }
            String list = to.stream().map(Facts::quote).collect(Collectors.joining(","));
            out.println("{\"t\":\"import\"," + where(positions.getStartPosition(unit, node)) + ",\"to\":[" + list + "]}");
            if (name.endsWith(".*") || node.isStatic()) {
                // javac gives no element to the parts of a static import.
                for (String part : name.split("\\.")) {
                    out.println("{\"t\":\"unknown\",\"name\":" + quote(part) + "," + where(positions.getStartPosition(unit, node)) + "}");
                }
                return null;
            }
            return super.visitImport(node, v);
        }
    }
}
