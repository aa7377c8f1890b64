// Facts of a Scala repository, by the Scala 2.13 compiler.
//
//     java -cp COMPILER scala.tools.nsc.MainGenericRunner -usejavacp facts.scala ROOT FOLDER... > facts.jsonl
//
// What other libraries define is not there; a name without a symbol is unknown.
import java.io.{File, PrintStream, BufferedOutputStream}
import scala.collection.mutable
import scala.reflect.internal.util.{BatchSourceFile, SourceFile}
import scala.reflect.io.PlainFile
import scala.tools.nsc.{Global, Settings}
import scala.tools.nsc.reporters.StoreReporter

object FactsOfScala {
  def main(args: Array[String]): Unit = {
    val root = new File(args(0)).getCanonicalFile
    def listed(file: File): Seq[File] =
      if (file.isDirectory) file.listFiles.toSeq.sortBy(_.getName).flatMap(listed)
      else if (file.getName.endsWith(".scala") || file.getName.endsWith(".java")) Seq(file)
      else Nil
    val files = args.drop(1).toSeq.flatMap(name => listed(new File(root, name)))
    val settings = new Settings()
    settings.usejavacp.value = true
    settings.Yrangepos.value = true
    settings.stopAfter.value = List("typer")
    settings.nowarn.value = true
    val reporter = new StoreReporter(settings)
    val global = new Global(settings, reporter)
    new Reader(global, root).read(files)
    val errors = reporter.infos.filter(_.severity == reporter.ERROR)
    Console.err.println(s"${files.size} files, ${errors.size} errors")
    errors.take(20).foreach(one => Console.err.println(s"${one.pos.source}:${one.pos.line}: ${one.msg.take(120)}"))
  }
}

class Reader[G <: Global](val global: G, root: File) {
  import global._

  val out = new PrintStream(new BufferedOutputStream(System.out, 1 << 16), false, "UTF-8")
  val ids = mutable.Map[Symbol, String]()
  val files = mutable.Map[String, Unit]()

  def read(names: Seq[File]): Unit = {
    val run = new Run
    run.compileSources(names.map(f => new BatchSourceFile(new PlainFile(f.getPath))).toList)
    val units = run.units.toList.filter(!_.isJava)
    units.foreach(define)
    units.foreach(use)
    out.flush()
  }

  def short(source: SourceFile): String =
    root.toPath.relativize(new File(source.file.path).getCanonicalFile.toPath).toString

  def quote(text: String): String = "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\""

  def where(source: SourceFile, at: Int): String = {
    val line = source.offsetToLine(at)
    s""""path":${quote(short(source))},"line":${line + 1},"column":${at - source.lineToOffset(line) + 1}"""
  }

  /** Whether a name stands there. */
  def stands(source: SourceFile, at: Int, name: String): Boolean =
    at >= 0 && at + name.length <= source.length && new String(source.content, at, name.length) == name &&
      (at + name.length == source.length || !Character.isJavaIdentifierPart(source.content(at + name.length)))

  /** The symbol that a getter, a setter, or the parts of a case class stand for. */
  def principal(symbol: Symbol): Symbol =
    if (symbol == NoSymbol) symbol
    else if (symbol.isSetter || symbol.isGetter) {
      val field = symbol.accessed
      if (field != NoSymbol && !symbol.isGetter) symbol.getterIn(symbol.owner).orElse(symbol) else symbol
    } else if (symbol.isModuleClass) symbol.sourceModule.orElse(symbol)
    else if (symbol.isConstructor) symbol.owner
    else if (symbol.isTerm && symbol.isPrivateThis && symbol.hasGetter) symbol.getterIn(symbol.owner).orElse(symbol)
    else if (symbol.isLocalToBlock) symbol
    else symbol

  /** The key of a symbol: where its name is written. */
  def key(symbol: Symbol): Option[String] = {
    val one = principal(symbol)
    val pos = if (one == null || one == NoSymbol) NoPosition else one.pos
    if (!pos.isDefined || pos.source == null) None
    else {
      val name = one.decodedName.trim
      if (stands(pos.source, pos.point, name)) Some(s"${short(pos.source)}:${pos.point}:$name") else None
    }
  }

  def kind(symbol: Symbol): String =
    if (symbol.isClass || symbol.isModule || symbol.isModuleClass || symbol.isAliasType || symbol.isAbstractType) "type"
    else if (symbol.isLocalToBlock || symbol.isParameter && !symbol.owner.isClass) "local"
    else if (symbol.isGetter || symbol.isValue && !symbol.isMethod) "field"
    else if (symbol.isMethod) "method"
    else "local"

  val written = mutable.Set[String]()

  def define(unit: CompilationUnit): Unit = {
    out.println(s"""{"t":"file","path":${quote(short(unit.source))}}""")
    unit.body.foreach {
      case tree: DefTree if tree.symbol != null && tree.symbol != NoSymbol && !tree.symbol.isConstructor && !tree.symbol.isSynthetic =>
        val symbol = principal(tree.symbol)
        for (id <- key(symbol) if !symbol.hasPackageFlag && written.add(id)) {
          val what = kind(symbol)
          val owner = symbol.owner
          val inClass = owner.isClass && !owner.hasPackageFlag && !owner.isAnonymousClass
          val local = what == "local" || owner.isAnonymousClass || symbol.isTypeParameter ||
            symbol.ownerChain.drop(1).exists(up => up.isMethod || up.isLocalToBlock)
          val of = if (inClass && what != "type") s""","owner":${quote(owner.decodedName.trim)}""" else ""
          val end = if (tree.pos.isRange) s""","end":${tree.pos.source.offsetToLine(tree.pos.end) + 1}""" else ""
          val name = symbol.decodedName.trim
          val odd = !name.forall(Character.isJavaIdentifierPart)
          out.println(s"""{"t":"def","id":${quote(id)},"kind":${quote(what)},"name":${quote(name)}$of,${where(symbol.pos.source, symbol.pos.point)}$end${if (local || odd) ",\"local\":true" else ""}}""")
          for (other <- symbol.allOverriddenSymbols; above <- key(other) if above != id)
            out.println(s"""{"t":"same","ids":[${quote(id)},${quote(above)}]}""")
        }
      case _ =>
    }
  }

  val seen = mutable.Set[String]()

  def refer(symbol: Symbol, source: SourceFile, at: Int, name: String, role: String): Unit =
    if (stands(source, at, name)) {
      val line = if (symbol == null || symbol == NoSymbol || symbol.isError) {
        s"""{"t":"unknown","name":${quote(name)},${where(source, at)}}"""
      } else {
        key(symbol) match {
          case Some(id) if id != s"${short(source)}:$at:$name" =>
            s"""{"t":"ref","to":${quote(id)},${where(source, at)},"role":${quote(role)}}"""
          case _ => ""
        }
      }
      if (line.nonEmpty && seen.add(line)) out.println(line)
    }

  def role(tree: Tree, called: Boolean): String =
    if (called) "call" else if (tree.isType) "type" else "read"

  class Walk(source: SourceFile) extends Traverser {
    var called: Set[Tree] = Set()

    override def traverse(tree: Tree): Unit = {
      tree match {
        case Apply(fun, _) =>
          called += (fun match { case TypeApply(inner, _) => inner; case other => other })
        case _ =>
      }
      tree match {
        case imported: Import => imports(imported)
        case Ident(name) if tree.pos.isDefined =>
          refer(tree.symbol, source, tree.pos.point, name.decodedName.toString.trim, role(tree, called(tree)))
        case Select(_, name) if tree.pos.isDefined =>
          val text = name.decodedName.toString.trim
          if (text == "<init>") () else refer(tree.symbol, source, tree.pos.point, text, role(tree, called(tree)))
        case SelectFromTypeTree(_, name) if tree.pos.isDefined =>
          refer(tree.symbol, source, tree.pos.point, name.decodedName.toString, "type")
        case whole: TypeTree if whole.original != null => traverse(whole.original)
        case annotated: MemberDef =>
          annotated.symbol.annotations.foreach(one => if (one.original != EmptyTree) traverse(one.original))
        case _ =>
      }
      super.traverse(tree)
    }

    def imports(tree: Import): Unit = {
      val names = tree.selectors.filterNot(_.isWildcard)
      val to = mutable.Set[String]()
      var unknown = tree.expr.symbol == null || tree.expr.symbol.isError || tree.expr.tpe == null
      for (selector <- names) {
        val kinds = Seq(selector.name.toTermName, selector.name.toTypeName)
        val found = if (unknown) Nil else kinds.map(name => tree.expr.tpe.member(name)).filter(_ != NoSymbol).flatMap(_.alternatives)
        for (symbol <- found) {
          refer(symbol, source, selector.namePos, selector.name.decodedName.toString, "import")
          if (symbol.pos.isDefined && symbol.pos.source != null && !symbol.hasPackageFlag) to += short(symbol.pos.source)
        }
      }
      if (tree.selectors.exists(_.isWildcard) && !unknown) {
        val of = tree.expr.symbol
        if (of.pos.isDefined && !of.hasPackageFlag && of.pos.source != null) to += short(of.pos.source)
        else unknown = true
      }
      val list = to.toSeq.sorted.map(quote).mkString(",")
      out.println(s"""{"t":"import",${where(source, tree.pos.point)},"to":[$list]${if (unknown) ",\"unknown\":true" else ""}}""")
    }
  }

  def use(unit: CompilationUnit): Unit = new Walk(unit.source).traverse(unit.body)
}
